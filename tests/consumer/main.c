/* main.c - somebody else's program: tools/test_install.sh builds it against an installed regula. */
#include <regula/regula.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    if (strcmp(rg_version(), RG_VERSION) != 0) {
        fprintf(stderr, "library %s, header %s\n", rg_version(), RG_VERSION);
        return 1;
    }
    puts(rg_version());
    return 0;
}
