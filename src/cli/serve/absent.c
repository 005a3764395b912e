/* Replaces the server in a build without the libraries that it needs. */
#include "messages.h"
#include "serve.h"

int serve_run(const serve_options *options)
{
    (void)options;
    message_note(INFERNO, "serve: this program was built without " SERVE_LACKS
                          ", which it needs: install it and configure the build again");
    return EXIT_NO;
}
