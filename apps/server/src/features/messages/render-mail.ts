import { mailedName } from '@headrace/contract/rules/plain-name';
import { escapeHtml } from '../../http/escape-html.ts';
import type { Mail } from './messages.ts';

export interface RenderedMail {
  readonly text: string;
  readonly html: string;
}

/**
 * A mail as plain text and as HTML. No pictures or fonts from elsewhere, and one column that fits 320 px; colours are
 * given for both schemes, and mail programs that turn colours themselves keep the contrast. `publicUrl` has no slash at
 * its end.
 */
export function renderMail(mail: Mail, publicUrl: string): RenderedMail {
  const linkOf = (action: Mail['action']) =>
    action && { label: action.label, url: `${publicUrl}${action.path}` };
  const links = { first: linkOf(mail.action), other: linkOf(mail.otherAction) };
  // Whoever gave us the address may have given the name too.
  const name = mailedName(mail.name);
  const ends = mail.unsubscribe && `${publicUrl}${mail.unsubscribe}`;
  const greeting = name === null ? 'Hello,' : `Hello ${name},`;
  return {
    text: asText(mail, greeting, { ...links, ends }),
    html: asHtml(mail, greeting, { ...links, ends }, publicUrl),
  };
}

type Link = { label: string; url: string } | undefined;
interface Links {
  first: Link;
  other: Link;
  /** Where such mails are ended. */
  ends: string | undefined;
}

function asText(mail: Mail, greeting: string, { first, other, ends }: Links): string {
  const blocks = [
    greeting,
    ...mail.paragraphs,
    ...[first, other].flatMap((link) => (link ? [`${link.label}:\n${link.url}`] : [])),
    ...(mail.footnote ? [`-- \n${mail.footnote}${ends ? `\n${END_LABEL}:\n${ends}` : ''}`] : []),
  ];
  return `${blocks.join('\n\n')}\n`;
}

const END_LABEL = 'No more notifications by e-mail';

const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 0; background: #f2f5f3; color: #17241d; }
.page { max-width: 560px; margin: 0 auto; padding: 20px 16px; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; }
.card { background: #ffffff; border: 1px solid #d5ddd8; border-radius: 8px; margin: 0 0 16px; padding: 20px; overflow-wrap: anywhere; }
.brand { font-weight: 700; color: #1c6b45; margin: 0 0 16px; }
p { margin: 0 0 16px; }
.button { display: inline-block; padding: 12px 20px; border-radius: 6px; background: #1c6b45; color: #ffffff; font-weight: 600; text-decoration: none; }
.small { font-size: 14px; color: #4a5a51; }
.small a { color: #1c6b45; }
@media (prefers-color-scheme: dark) {
  body { background: #101613; color: #e7ede9; }
  .card { background: #18211c; border-color: #324039; }
  .brand, .small a { color: #7fd3a6; }
  .button { background: #7fd3a6; color: #0c1410; }
  .small { color: #b4c2ba; }
}`;

function asHtml(mail: Mail, greeting: string, { first, other, ends }: Links, publicUrl: string): string {
  const button = first
    ? `<p><a class="button" href="${escapeHtml(first.url)}">${escapeHtml(first.label)}</a></p>
<p class="small">Or open this address:<br><a href="${escapeHtml(first.url)}">${escapeHtml(first.url)}</a></p>`
    : '';
  const otherLink = other
    ? `<p class="small"><a href="${escapeHtml(other.url)}">${escapeHtml(other.label)}</a></p>`
    : '';
  const end = ends ? ` <a href="${escapeHtml(ends)}">${END_LABEL}</a>` : '';
  const footnote = mail.footnote ? `<p class="small">${paragraph(mail.footnote)}${end}</p>` : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(mail.subject)}</title>
<style>${STYLE}</style>
</head>
<body>
<div class="page">
<div class="card">
<p class="brand">Headrace</p>
${[greeting, ...mail.paragraphs].map((text) => `<p dir="auto">${paragraph(text)}</p>`).join('\n')}
${button}
${otherLink}
</div>
<p class="small"><a href="${escapeHtml(publicUrl)}">${escapeHtml(publicUrl)}</a></p>
${footnote}
</div>
</body>
</html>
`;
}

/** Line ends in a text stay line ends. */
const paragraph = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>');
