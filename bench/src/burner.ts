/** A thread that takes a core and nothing else, no memory, no lock, no file, and yields as the printer's does. */
import { yieldCores } from '@headrace/server/dist/machine/yield-cores.mjs';

yieldCores();
for (let sum = 0; ; ) sum = (sum + 1) % 1e9;
