/** For a container's health check: 0 when the server can do its work. */
const host = ['', '0.0.0.0', '::'].includes(process.env.HOST ?? '') ? '127.0.0.1' : process.env.HOST;
const url = new URL(`http://localhost:${process.env.PORT || 3000}/readyz`);
url.hostname = host.includes(':') ? `[${host}]` : host;
const answer = await fetch(url, { signal: AbortSignal.timeout(4000) }).catch(() => null);
process.exitCode = answer?.ok ? 0 : 1;
