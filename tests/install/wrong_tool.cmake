# Asks for a tool that is not there.
cmake_language(DEFER CALL steward_instrument racy TOOL none)
