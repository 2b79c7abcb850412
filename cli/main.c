#include "regula/regula.h"
int main(void)
{
    return 0;
}
