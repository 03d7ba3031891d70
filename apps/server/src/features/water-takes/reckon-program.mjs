// JavaScript, as Node 20 reads no types; they are in comments and checked.
import { allPieces } from '@headrace/contract/rules/pieces';
import { reckonedDays } from '@headrace/contract/rules/water-take/meter-days';
import { runOwnProgram } from '../../machine/own-program.mjs';

runOwnProgram((asked) => allPieces(reckonedDays(asked)));
