# The comment at the top of a file describes the file; any other describes what follows it.
1s|^// SPDX.*|/// @file|
s|^\( *\)//\( .*\)\{0,1\}$|\1///\2|
# Backslashes in comments are meant as such.
\|^ *///|s|\\|\\\\|g
