import { languageTags, rightToLeft } from "@arcada/contract/kernel/languages";
import type { Language } from "@arcada/contract/kernel/languages";

export interface EmailList {
  heading: string;
  lines: { text: string; url: string | null }[];
}
interface EmailContent {
  language: Language;
  title: string;
  body: string;
  foot: string;
  link: { url: string; label: string } | null;
  sections?: readonly EmailList[];
}

/**
 * Returns an email as HTML that old clients show, too: one table, inline styles, no external image. Clients that
 * support dark mode use the style at the head; the others show the light one.
 */
export function emailHtml({ language, title, body, foot, link, sections = [] }: EmailContent): string {
  const paragraphs = body.split("\n\n").map(renderParagraph).join("\n");
  const direction = rightToLeft.includes(language) ? "rtl" : "ltr";
  return `<!doctype html><html lang="${languageTags[language]}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(title)}</title><style>${dark}</style></head>
<body class="page" style="background:#f4f7fa;margin:0;padding:24px 12px"><table role="presentation" align="center" cellpadding="0" cellspacing="0" dir="${direction}" style="max-width:560px;width:100%">
<tr><td style="padding:0 8px 14px"><span class="mark" style="color:#0b62bf;font-family:${font};font-size:18px;font-weight:700">Arcada</span></td></tr>
<tr><td class="card ink" style="background:#ffffff;border:1px solid #dde5ee;border-radius:12px;color:#1b2330;font-family:${font};font-size:16px;line-height:1.6;padding:28px 24px;text-align:start;word-break:break-word">
<h1 style="font-size:21px;line-height:1.35;margin:0 0 16px">${escapeHtml(title)}</h1>
${paragraphs}
${sections.map(renderSection).join("\n")}
${link ? button(link) : ""}</td></tr>
<tr><td class="soft" style="color:#566478;font-family:${font};font-size:13px;line-height:1.55;padding:16px 8px;text-align:start">${escapeHtml(foot)}</td></tr>
</table></body></html>`;
}

const font = "system-ui,-apple-system,'Segoe UI','PingFang SC','Microsoft YaHei','Noto Sans',sans-serif";
const dark = `@media (prefers-color-scheme:dark){.page{background:#12161c!important}.card{background:#1b212a!important;border-color:#303a47!important}.ink{color:#e6ebf2!important}.soft{color:#9aa8ba!important}.mark{color:#6fb1ff!important}.code{background:#252d38!important;color:#e6ebf2!important}.button{background:#2f7fe0!important}}`;

/** A code is set apart, large enough to be read from one screen and typed on another. */
const renderParagraph = (text: string): string =>
  /^\d{6}(\d{4})?$/.test(text)
    ? `<p class="code" dir="ltr" style="background:#eef3f9;border-radius:8px;font-family:ui-monospace,Consolas,monospace;font-size:32px;font-weight:700;letter-spacing:8px;margin:0 0 16px;padding:14px 12px;text-align:center">${text}</p>`
    : `<p style="margin:0 0 14px">${escapeHtml(text).replaceAll("\n", "<br>")}</p>`;

const renderSection = ({ heading, lines }: EmailList): string =>
  `<h2 style="font-size:16px;line-height:1.4;margin:22px 0 6px">${escapeHtml(heading)}</h2>
<ul style="margin:0;padding-inline-start:20px">${lines.map(renderLine).join("")}</ul>`;
const renderLine = ({ text, url }: EmailList["lines"][number]): string =>
  `<li style="margin:0 0 6px">${url ? `<a class="mark" href="${escapeHtml(url)}" style="color:#0b62bf">${escapeHtml(text)}</a>` : escapeHtml(text)}</li>`;

/** Returns the button, and the address itself for clients that show no button. */
const button = ({ url, label }: { url: string; label: string }): string =>
  `<p style="margin:22px 0 18px"><a class="button" href="${escapeHtml(url)}" style="background:#0b62bf;border-radius:8px;color:#ffffff;display:inline-block;font-weight:600;padding:12px 24px;text-decoration:none">${escapeHtml(label)}</a></p>
<p class="soft" dir="ltr" style="color:#566478;font-size:13px;margin:0;word-break:break-all">${escapeHtml(url)}</p>`;

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign]!);
