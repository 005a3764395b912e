#include "listener.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <inferno/text.h>

enum { BACKLOG = 512 };

static int listen_at(const struct addrinfo *at)
{
    const int on = 1, s = socket(at->ai_family, at->ai_socktype, at->ai_protocol);
    if (s < 0)
        return -1;
    if (setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        bind(s, at->ai_addr, at->ai_addrlen) == 0 && listen(s, BACKLOG) == 0)
        return s;
    const int code = errno;
    close(s);
    errno = code;
    return -1;
}

static const char *reason(int code)
{
    return code == EADDRINUSE      ? "somebody listens there already"
           : code == EADDRNOTAVAIL ? "this machine has no such address"
                                   : ifn_errno_reason(code);
}

static void name_it(int s, char url[LISTENER_URL_BYTES])
{
    struct sockaddr_storage at;
    socklen_t bytes = sizeof at;
    char host[200] = "?", port[16] = "?";
    if (getsockname(s, (struct sockaddr *)&at, &bytes) == 0)
        (void)getnameinfo((struct sockaddr *)&at, bytes, host, sizeof host, port, sizeof port,
                          NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(url, LISTENER_URL_BYTES, strchr(host, ':') ? "http://[%s]:%s" : "http://%s:%s", host,
             port);
}

ifn_status listener_open(const char *host, int64_t port, int *out, char url[LISTENER_URL_BYTES],
                         ifn_error *err)
{
    const struct addrinfo want = {.ai_socktype = SOCK_STREAM,
                                  .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *found;
    char service[16];
    snprintf(service, sizeof service, "%d", (int)port);
    const int failed = getaddrinfo(host, service, &want, &found);
    if (failed)
        return ifn_fail(err, IFN_ERR_IO, "--host %.100s: %s", host, gai_strerror(failed));
    *out = listen_at(found);
    const int code = errno;
    freeaddrinfo(found);
    if (*out < 0)
        return ifn_fail(err, IFN_ERR_IO, "--host %.100s --port %s: %s", host, service,
                        reason(code));
    name_it(*out, url);
    return IFN_OK;
}
