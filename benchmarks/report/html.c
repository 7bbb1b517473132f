// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/report/html.h"

#include <math.h>
#include <string.h>

#include "benchmarks/report/svg.h"
#include "benchmarks/terminal/output.h"

void dls_html_open(FILE *out, const char *title, int solvers)
{
    fputs("<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>\n"
          "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
          "<meta name='color-scheme' content='light dark'>\n"
          "<link rel='icon' href='data:,'>\n<title>",
          out);
    dls_xml_text(out, title);
    fputs("</title>\n<style>\n", out);
    fputs(dls_asset_report_css, out);
    // Switching a solver off, and pointing at it, works without the script.
    for (int s = 0; s < solvers; s++)
        fprintf(out,
                "body:has(#t%d:not(:checked)) .s%d{display:none}"
                "body:has(.legend .l%d:hover) .c:not(.s%d):not(.line *){opacity:.13}\n",
                s, s, s, s);
    fputs("</style></head>\n<body>\n<main>\n", out);
}

void dls_html_close(FILE *out)
{
    fputs("</main>\n<div id='tip' role='status' hidden></div>\n<script>\n", out);
    fputs(dls_asset_report_js, out);
    fputs("</script>\n</body></html>\n", out);
}

void dls_html_section(FILE *out, const char *id, const char *heading)
{
    fprintf(out, "<section id='%s'><h2><a href='#%s'>%s</a></h2>\n", id, id, heading);
}

void dls_html_table(FILE *out, const char *class_name, bool filter)
{
    fputs("<div class='table'>", out);
    if (filter)
        fputs("<input type='search' class='filter' placeholder='filter rows' "
              "aria-label='filter rows'>",
              out);
    fprintf(out, "<div class='scroll' tabindex='0'><table class='%s'>\n", class_name);
}

void dls_html_table_end(FILE *out) { fputs("</tbody></table></div></div>\n", out); }

void dls_html_tol(FILE *out, double tol)
{
    double power = log10(tol);
    if (fabs(power - round(power)) < 1e-9)
        fprintf(out, "10<sup>%s%d</sup>", power < 0 ? "\xE2\x88\x92" : "",
                (int)fabs(round(power)));
    else
        fprintf(out, "%g", tol);
}

void dls_html_cell(FILE *out, double value, enum dls_unit unit)
{
    char text[16];
    if (!isfinite(value)) {
        fputs("<td class='num none'>\xE2\x80\x93</td>", out);
        return;
    }
    fprintf(out, "<td class='num' data-v='%.9g'>", value);
    switch (unit) {
    case DLS_UNIT_SECONDS:
        fputs(dls_format_time(value, text), out);
        break;
    case DLS_UNIT_BYTES:
        fputs(dls_format_bytes(value, text), out);
        break;
    case DLS_UNIT_COUNT:
        fprintf(out, "%.0f", value);
        break;
    case DLS_UNIT_NONE:
        fprintf(out, "%.3g", value);
        break;
    }
    fputs("</td>", out);
}

void dls_html_cell_text(FILE *out, const char *text)
{
    fputs("<td>", out);
    dls_xml_text(out, text);
    fputs("</td>", out);
}

void dls_html_cell_ratio(FILE *out, double ratio)
{
    if (!isfinite(ratio)) {
        fputs("<td class='num none'>\xE2\x80\x93</td>", out);
        return;
    }
    const char *format = ratio < 9.95 ? "%.2f" : ratio < 99.5 ? "%.1f" : "%.0f";
    fprintf(out, "<td class='num' data-v='%.9g'>", ratio);
    fprintf(out, format, ratio);
    fputs("</td>", out);
}

void dls_html_status(FILE *out, const char *status, bool solved)
{
    static const struct {
        const char *name, *kind, *sign;
    } kinds[] = {
        {"converged", "lie", "!"},
        {"max_time", "slow", "\xE2\x97\xB7"},
        {"max_iter", "slow", "\xE2\x97\xB7"},
        {"stalled", "stuck", "\xE2\x89\x88"},
        {"finished", "stuck", "\xE2\x89\x88"},
        {"ray", "stuck", "\xE2\x86\x97"},
        {"diverged", "wild", "\xE2\x86\x97"},
        {"unsupported", "not", "\xE2\x88\x85"},
        {"infeasible", "not", "\xE2\x88\x85"},
    };
    const char *kind = "broke", *sign = "\xE2\x9C\x95";
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (!strcmp(status, kinds[k].name)) kind = kinds[k].kind, sign = kinds[k].sign;
    if (solved) kind = "good", sign = "\xE2\x9C\x93";
    fprintf(out, "<span class='st %s'><b aria-hidden='true'>%s</b> ", kind, sign);
    dls_xml_text(out, status);
    fputs("</span>", out);
}
