import { expect, it } from 'vitest';
import { wishIn } from './reply-keywords.ts';

it.each([
  ['OK', 'answer'],
  [' ok. ', 'answer'],
  ['Okay, on my way', 'answer'],
  ["I'm on it", 'answer'],
  ['On it mate', 'answer'],
  ['yes', 'answer'],
  ['STOP', 'stop'],
  ['Stop!', 'stop'],
  ['unsubscribe', 'stop'],
  ['START', 'start'],
  ['OK, no worries', 'answer'],
  ["Yes but I can't", null],
  ['OK, can’t', null],
  ['OK STOP', null],
  ['ok not me', null],
  ['ok who is it', null],
  ['OK?', null],
  ['On its way', null],
  ['stop the pump', null],
  ['start the pump please', null],
  ['What is it?', null],
  ['', null],
  ['👍', null],
])('%j is taken for %j', (text, wish) => {
  expect(wishIn(text)).toBe(wish);
});
