import { Ajv, type Options } from 'ajv';

/**
 * What checks data by schemas of our own. These aren't checked themselves each time that the server starts: making the code which
 * does that took 50 ms for each of seven checkers. A test checks those of calls and live frames (`schemas-are-valid.unit.test.ts`);
 * the few others are tried with good and bad data by the tests of their features.
 */
export const createAjv = (options: Options): Ajv => new Ajv({ ...options, validateSchema: false });
