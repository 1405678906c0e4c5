import { languageTags, rightToLeft } from "@arcada/contract/kernel/languages";
import type { Language } from "@arcada/contract/kernel/languages";

interface Page {
  language: Language;
  title: string;
  body: string;
  foot: string;
  link: { url: string; label: string } | null;
}

/** A letter as HTML that old readers show, too: one table, styles in place, no picture from outside. */
export function letterHtml({ language, title, body, foot, link }: Page): string {
  const paragraphs = body
    .split("\n\n")
    .map((paragraph) => `<p style="margin:0 0 14px">${escaped(paragraph).replaceAll("\n", "<br>")}</p>`)
    .join("");
  const button = link
    ? `<p style="margin:22px 0"><a href="${escaped(link.url)}" style="background:#1f6fd6;border-radius:6px;color:#ffffff;display:inline-block;font-weight:600;padding:11px 22px;text-decoration:none">${escaped(link.label)}</a></p>
<p style="color:#5d6b7e;font-size:13px;margin:0;word-break:break-all">${escaped(link.url)}</p>`
    : "";
  return `<!doctype html><html lang="${languageTags[language]}" dir="${rightToLeft.includes(language) ? "rtl" : "ltr"}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title></head>
<body style="background:#f4f7fa;margin:0;padding:24px 12px"><table role="presentation" align="center" cellpadding="0" cellspacing="0" style="background:#ffffff;border:1px solid #e3e9f0;border-radius:12px;font-family:system-ui,sans-serif;font-size:15px;line-height:1.6;max-width:560px;width:100%"><tr><td style="color:#1b2330;padding:28px 32px">
<h1 style="font-size:20px;line-height:1.35;margin:0 0 16px">${escaped(title)}</h1>
${paragraphs}${button}
<hr style="border:0;border-top:1px solid #e3e9f0;margin:24px 0 14px"><p style="color:#5d6b7e;font-size:13px;margin:0">${escaped(foot)}</p>
</td></tr></table></body></html>`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign]!);
