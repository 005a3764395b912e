/* Style and script of every page. CMake generates the source file from page/ when the build is configured. */
#ifndef CONFORM_PAGE_TEXT_H
#define CONFORM_PAGE_TEXT_H

extern const char conform_page_css[];
extern const char conform_page_js[];

#endif
