# manual.awk - a page of docs/ as the source of a man page, in scdoc's language, so that nothing is written twice.
# usage: awk -v page=regula-network -v section=5 -v what='network files of regula' -f tools/manual.awk docs/networks.md
#
# Headings, paragraphs, lists, tables and indented code are all that the pages have; pictures are left out.

function plain(text) # every character that means something to scdoc
{
    gsub(/\\/, "\\\\", text)
    gsub(/[*_`#\[\]|~<>]/, "\\\\&", text)
    return text
}

# Markdown inside a line: `code` and **bold** become bold, of [links](..) the text stays.
function inline(text,    out, at, rest, part)
{
    out = ""
    while (match(text, /`[^`]+`|\*\*[^*]+\*\*|!?\[[^]]*\]\([^)]*\)|\\[|*_$#<>[\]]/)) {
        out = out plain(substr(text, 1, RSTART - 1))
        part = substr(text, RSTART, RLENGTH)
        rest = substr(text, RSTART + RLENGTH)
        if (part ~ /^`/)
            out = out "*" plain(substr(part, 2, length(part) - 2)) "*"
        else if (part ~ /^\*\*/)
            out = out "*" plain(substr(part, 3, length(part) - 4)) "*"
        else if (part ~ /^\\/)
            out = out plain(substr(part, 2))
        else if (part !~ /^!/) {
            sub(/^\[/, "", part)
            at = index(part, "](")
            out = out plain(substr(part, 1, at - 1))
        }
        # scdoc wants bold to end before a letter: what follows is kept apart
        if (part ~ /^[`*]/ && rest ~ /^[A-Za-z0-9]/)
            out = out " "
        text = rest
    }
    return out plain(text)
}

function leave() # whatever is open
{
    if (code)
        print "```\n"
    if (table || list)
        print ""
    code = table = list = 0
}

function cells(line,    n, k, parts, text)
{
    gsub(/\\\|/, "\001", line)
    sub(/^\|/, "", line)
    sub(/\|[ \t]*$/, "", line)
    n = split(line, parts, "|")
    for (k = 1; k <= n; k++) {
        text = parts[k]
        gsub(/\001/, "|", text)
        gsub(/^[ \t]+|[ \t]+$/, "", text)
        text = inline(text)
        if (!table && text != "" && text !~ /^\*/)
            text = "*" text "*"
        if (k == 1)
            printf "%s%s\n", table ? "|  " : "[[ ", text
        else
            printf "%s%s\n", table ? ":  " : ":[ ", text
    }
    table = 1
}

BEGIN {
    printf "%s(%d)\n\n# NAME\n\n%s - %s\n\n# DESCRIPTION\n\n", page, section, page, what
}

/^# / { next }
/^!\[/ || /^\[!\[/ { next }
/^<!--/ { next }

/^## / { leave(); print "# " toupper(plain(substr($0, 4))) "\n"; blank = 1; next }
/^###+ / { leave(); sub(/^#+ /, ""); print "## " plain($0) "\n"; blank = 1; next }

/^[ \t]*$/ {
    if (code)
        pending++
    else if (!blank) {
        if (table)
            leave()
        else
            print ""
    }
    list = code ? list : 0
    blank = 1
    next
}

# Code stands four columns in, eight inside a list.
/^    / && (code || blank) {
    if (!code) {
        if (table)
            leave()
        print "```"
        code = 1
    }
    for (; pending > 0; pending--)
        print ""
    line = substr($0, 5)
    print line
    blank = 0
    next
}

{
    pending = 0
    if (code) {
        print "```\n"
        code = 0
    }
}

/^\|[- :|]+\|[ \t]*$/ { next } # below the head of a table
/^\|/ { cells($0); blank = 0; next }

/^[0-9]+\. / {
    sub(/^[0-9]+\. /, "")
    printf ". %s\n", inline($0)
    list = 1
    blank = 0
    next
}
/^- / { printf "- %s\n", inline(substr($0, 3)); list = 1; blank = 0; next }
/^ +- / { sub(/^ +- /, ""); printf "\t- %s\n", inline($0); list = 2; blank = 0; next }

{
    if (table)
        leave()
    text = $0
    sub(/^ +/, "", text)
    text = inline(text)
    if (list == 2)
        printf "\t  %s\n", text
    else if (list)
        printf "  %s\n", text
    else
        print text ~ /^[-.]/ ? "\\" text : text
    blank = 0
}

END {
    leave()
    printf "\n# SEE ALSO\n\n*regula*(1), *regula-network*(5), *regula-experiment*(5), *regula-rules*(7), *regula-labels*(7)\n"
}
