# Called with cmake -P: text files into one C++ file of string constants.
#   -DOUT=file.cpp -DNAMESPACE=a::b -DFILES=kName=path|kName=path...
# A string literal may be no longer than 64 KB for every compiler's taste; these are far below.
string(REPLACE "|" ";" FILES "${FILES}")
set(text "// Made by cmake/EmbedText.cmake.\nnamespace ${NAMESPACE} {\n")
foreach(pair ${FILES})
  string(REGEX MATCH "^([^=]+)=(.*)$" _ "${pair}")
  file(READ "${CMAKE_MATCH_2}" content)
  string(APPEND text "extern const char ${CMAKE_MATCH_1}[];\nconst char ${CMAKE_MATCH_1}[] = R\"EMBED(${content})EMBED\";\n")
endforeach()
file(WRITE "${OUT}" "${text}}\n")
