import type { FastifyError, FastifyRequest } from 'fastify';
import type { ErrorReply } from '@headrace/contract/errors';
import { databaseFaultOf } from '../db/database-fault.ts';
import { ApiFailure, machineFailure } from './errors.ts';
import { isUnkeptText, unkeptMember } from './unkept-text.ts';

/** Status and body of the reply to a failure. An unexpected one becomes a neutral 500 and a line in the log. */
export function errorReply(
  error: FastifyError,
  request: FastifyRequest,
): { status: number; body: ErrorReply } {
  if (error instanceof ApiFailure) return failureReply(error);
  if (error.validation) return validationReply(error);
  if (error.statusCode === 413) return tooLargeReply(request.routeOptions.bodyLimit);
  if (error.statusCode && error.statusCode < 500) {
    return { status: error.statusCode, body: { errorMessage: error.message, code: 'invalid' } };
  }
  if (isUnkeptText(error)) {
    const field = unkeptMember(request.body) ?? unkeptMember(request.query);
    if (field !== null) return unkeptReply(field);
  }
  const fault = databaseFaultOf(error);
  if (fault) {
    request.log.warn(
      { err: error, requestId: request.id, route: request.routeOptions.url },
      'call not served',
    );
    return failureReply(machineFailure(fault));
  }
  request.log.error(
    { err: error, requestId: request.id, method: request.method, route: request.routeOptions.url },
    'request failed',
  );
  const body = {
    errorMessage: 'Something went wrong on the server. Please try again.',
    code: 'internal',
    requestId: request.id,
  };
  return { status: 500, body };
}

const failureReply = (failure: ApiFailure): { status: number; body: ErrorReply } => ({
  status: failure.status,
  body: {
    errorMessage: failure.message,
    code: failure.code,
    ...(failure.field && { field: failure.field }),
    ...(failure.current !== undefined && { current: failure.current }),
  },
});

const tooLargeReply = (limit: number): { status: number; body: ErrorReply } => ({
  status: 413,
  body: {
    errorMessage: `The request is too large: the limit is ${Math.round(limit / 1024)} KiB.`,
    code: 'tooLarge',
  },
});

const unkeptReply = (field: string): { status: number; body: ErrorReply } => ({
  status: 400,
  body: {
    errorMessage: `${field || 'The request'} holds a character that can't be kept. Please type it again.`,
    code: 'invalid',
    ...(field && { field }),
  },
});

type Fault = NonNullable<FastifyError['validation']>[number];

/** Names the member that is wrong and what it must be. */
function validationReply(error: FastifyError): { status: number; body: ErrorReply } {
  const fault = error.validation?.findLast(describedForm) ?? error.validation?.[0];
  const missing = fault?.params?.missingProperty;
  const path = fault?.instancePath.split('/').filter(Boolean) ?? [];
  const field = [...path, ...(typeof missing === 'string' ? [missing] : [])].join('.');
  const errorMessage = `${field || `The ${error.validationContext ?? 'request'}`} ${requirement(fault)}.`;
  return { status: 400, body: { errorMessage, code: 'invalid', ...(field && { field }) } };
}

/** What a value must look like, as the schema's description says: a pattern or a list of ranges helps nobody. */
function describedForm({ keyword, parentSchema }: Fault & { parentSchema?: { description?: string } }) {
  return keyword === 'pattern' || keyword === 'anyOf' ? parentSchema?.description : undefined;
}

function requirement(fault: Fault | undefined): string {
  if (fault?.keyword === 'required') return 'is required';
  const described = fault && describedForm(fault);
  if (described) return `must be ${described}`;
  const allowed = fault?.params?.allowedValues;
  if (Array.isArray(allowed)) return `must be one of ${allowed.join(', ')}`;
  return fault?.message ?? 'is not valid';
}
