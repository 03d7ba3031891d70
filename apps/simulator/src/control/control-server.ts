import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checker } from '@headrace/device/check';
import { normaliseMac } from '@headrace/device/topics';
import { faultKinds, type FaultKind } from '../faults/fault-kinds.ts';

/** What the control port can do; errors of `fault` are said to the caller as they are. */
export type Control = {
  readonly fault: (
    mac: string,
    kind: FaultKind | 'clear',
    value?: number,
    minutes?: number,
  ) => object | string;
  readonly state: () => object;
};

export type ControlServer = { readonly port: number; readonly stop: () => void };

const mostBodyBytes = 4096;
const host = '127.0.0.1';
const kinds = [...faultKinds, 'clear'] as const;
type Body = { mac: string; kind: (typeof kinds)[number]; value?: number; minutes?: number };

/** In JSON Schema: what `POST /fault` takes. `minutes` up to a month. */
const checkFault = checker({
  type: 'object',
  required: ['mac', 'kind'],
  additionalProperties: false,
  properties: {
    mac: { type: 'string', maxLength: 40 },
    kind: { enum: kinds },
    value: { type: 'number' },
    minutes: { type: 'number', exclusiveMinimum: 0, maximum: 43_200 },
  },
});

/** Opens the control port, on the loopback address alone. Port 0 takes a free one. */
export async function startControlServer(port: number, control: Control): Promise<ControlServer> {
  const server = createServer({ requestTimeout: 5000, headersTimeout: 5000 }, (request, response) => {
    answer(request, control).then(
      ([status, body]) => reply(response, status, body),
      (error: unknown) => reply(response, 500, { error: String(error) }),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(`${JSON.stringify(body)}\n`);
}

type Answer = [status: number, body: object];

async function answer(request: IncomingMessage, control: Control): Promise<Answer> {
  // A web page must not reach in here, by its own name or by one that it made point at us.
  if (request.headers.origin !== undefined)
    return refused(403, 'not for web pages: leave the Origin header out');
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? ''))
    return refused(403, `Host must be ${host} or localhost`);
  const asked = `${request.method} ${request.url}`;
  if (asked === 'GET /state') return [200, control.state()];
  if (asked !== 'POST /fault') return refused(404, 'there are POST /fault and GET /state');
  const text = await bodyOf(request);
  if (text === null) return refused(413, `body: at most ${mostBodyBytes} bytes`);
  return fault(text, control);
}

function fault(text: string, control: Control): Answer {
  const body = parse(text);
  const checked = checkFault(body);
  if (!checked.ok) return refused(400, explain(checked.reason));
  const { mac: given, kind, value, minutes } = body as Body;
  const mac = normaliseMac(given);
  if (!mac) return refused(400, 'mac must have 12 or 16 hex digits');
  const outcome = control.fault(mac, kind, value, minutes);
  return typeof outcome === 'string' ? refused(400, outcome) : [200, outcome];
}

function explain(reason: string): string {
  if (/\bkind\b/.test(reason)) return `kind must be one of ${kinds.join(', ')}`;
  return reason.startsWith('message')
    ? `the body must be JSON like {"mac": "…", "kind": "…", "value": 0.5, "minutes": 10}: ${reason}`
    : reason;
}

function refused(status: number, error: string): Answer {
  return [status, { error }];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** `null` when it is longer than allowed. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBodyBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
