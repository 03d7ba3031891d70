import { expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const read = (env: Record<string, string>) => readConfig(env, [], '/srv').sending;
const faultsOf = (env: Record<string, string>) => {
  try {
    read(env);
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.faults : [String(error)];
  }
};
const mail = { SMTP_URL: 'smtps://u:p@mail.example.com', MAIL_FROM: 'Headrace <water@example.com>' };
const sms = { SMS_URL: 'https://sms.example.com/send' };

it('without settings nothing but push messages leaves', () => {
  expect(read({})).toEqual({ mail: null, sms: null, smsSecret: null, pushHosts: [] });
});

it('reads mail, SMS and push hosts', () => {
  expect(
    read({ ...mail, ...sms, SMS_METHOD: 'put', PUSH_HOSTS: 'Push.Example.com, b.example' }),
  ).toMatchObject({
    mail: { url: mail.SMTP_URL, from: mail.MAIL_FROM, perMinute: 60 },
    sms: { url: sms.SMS_URL, method: 'PUT', body: '{"to":"{to}","text":"{text}"}', perMinute: 30 },
    pushHosts: ['push.example.com', 'b.example'],
  });
});

it.each([
  [{ SMTP_URL: mail.SMTP_URL }, 'MAIL_FROM'],
  [{ ...mail, MAIL_FROM: 'Headrace' }, 'MAIL_FROM'],
  [{ ...mail, SMTP_URL: 'https://mail.example.com' }, 'SMTP_URL'],
  [{ SMS_URL: 'http://sms.example.com' }, 'SMS_URL'],
  [{ ...sms, SMS_BODY: '{"to":"{to}"}' }, '{text}'],
  [{ ...sms, SMS_BODY: '{to}{text}{token}' }, 'SMS_TOKEN'],
  [{ ...sms, SMS_METHOD: 'DELETE' }, 'SMS_METHOD'],
  [{ ...sms, SMS_HEADERS: '{"a":1}' }, 'SMS_HEADERS'],
  [{ ...sms, SMS_HEADERS: 'no' }, 'SMS_HEADERS'],
  [{ SMS_PROVIDER: 'pigeon' }, 'SMS_PROVIDER'],
  [{ SMS_PROVIDER: 'clicksend', SMS_USER: 'u' }, 'SMS_TOKEN'],
  [{ SMS_PROVIDER: 'twilio', SMS_USER: 'AC1', SMS_TOKEN: 't' }, 'SMS_FROM'],
  [{ ...sms, SMS_SECRET: 'short' }, 'SMS_SECRET'],
  [{ PUSH_HOSTS: 'https://a.example' }, 'PUSH_HOSTS'],
])('says what is wrong: %j', (env, name) => {
  const faults = faultsOf(env);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain(name);
});
