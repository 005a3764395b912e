#include "refusal.h"

#include <stdarg.h>

#include "json_writer.h"

bool refuse(refusal *self, unsigned status, const char *param, const char *format, ...)
{
    va_list args;
    *self = (refusal){.status = status};
    snprintf(self->param, sizeof self->param, "%s", param ? param : "");
    va_start(args, format);
    vsnprintf(self->text, sizeof self->text, format, args);
    va_end(args);
    return false;
}

bool refuse_error(refusal *self, unsigned status, const char *param, const ifn_error *err)
{
    return refuse(self, status, param, "%s", err->text);
}

static const char *type_of(const refusal *self)
{
    return self->status == REFUSE_BUSY     ? "overloaded_error"
           : self->status >= REFUSE_SERVER ? "server_error"
                                           : "invalid_request_error";
}

void refusal_json(const refusal *self, FILE *out)
{
    json_writer json = {.out = out};
    json_begin_object(&json);
    json_key(&json, "error");
    json_begin_object(&json);
    json_member(&json, "message", self->text);
    json_member(&json, "type", type_of(self));
    json_member(&json, "param", self->param[0] ? self->param : NULL);
    json_member(&json, "code", self->code);
    json_end_object(&json);
    json_end_object(&json);
}
