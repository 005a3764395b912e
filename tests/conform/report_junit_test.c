#include <string.h>

#include "bench.h"
#include "written.h"

TEST(a_suite_per_backend_holds_its_failures_escaped)
{
    conform_report r = bench_measurement();
    memcpy(r.label[1], "./my <own>.so", 14);
    memcpy(r.origin.host, "a&b", 4);
    memcpy(r.origin.date, "2026-01-31T23:59:59Z", 21);
    memcpy(r.origin.command, "inferno conform", 16);
    conform_report_problem(&r, "a < b");
    char *text = written(conform_report_junit, &r);
    static const char *const parts[] = {
        "<testsuites name=\"inferno conform\" time=\"1.500\">",
        "<testsuite name=\"conform/scalar\" tests=\"1\" failures=\"0\" time=\"0.500\" "
        "hostname=\"a&amp;b\" "
        "timestamp=\"2026-01-31T23:59:59Z\">",
        "<property name=\"command\" value=\"inferno conform\"/>",
        "<testsuite name=\"conform/./my &lt;own&gt;.so\" tests=\"1\" failures=\"1\" time=\"0.000\" "
        "hostname=",
        "<testcase classname=\"scalar\" name=\"matmul\" assertions=\"2\" time=\"0.500\">",
        "<testcase classname=\"./my &lt;own&gt;.so\" name=\"matmul\" assertions=\"2\" "
        "time=\"0.000\">",
        "<failure type=\"value\" message=\"out[0,3]: &quot;&lt;one&gt;&quot; &amp; only\">",
        ">matmul/F32/m=2,n=3,p=4/T2/normal/raw/0/1234\n"
        "out[3]: got 1.5 (0x1.8p+0, 0x3fc00000), want 1.25 (0x1.4p+0, 0x3fa00000), "
        "bound 0.125, error/bound 2, 2097152 ulp\n"
        "again: inferno conform --backend './my &lt;own&gt;.so' --case "
        "matmul/F32/m=2,n=3,p=4/T2/normal/raw/0/1234 --in-process</failure>",
        "message=\"a &lt; b\"",
        "</testsuites>",
    };
    for (size_t i = 0; i < N_OF(parts); i++)
        assert_that(strstr(text, parts[i]), "%s is missing in\n%s", parts[i], text);
    free(text);
    conform_report_close(&r);
}
