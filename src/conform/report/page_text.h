/* Style and script of every page, from page/: the source after it is made when the build is
 * configured. */
#ifndef CONFORM_PAGE_TEXT_H
#define CONFORM_PAGE_TEXT_H

extern const char conform_page_css[];
extern const char conform_page_js[];

#endif
