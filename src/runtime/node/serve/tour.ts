import { demoAccounts, demoIds, demoPassword } from '../../../modules/demo/demo.ts';

/** The address at which a service answers that listens there. */
export const addressOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** The start text for newcomers: the address, where to try the API and, in the demo clinic, accounts and commands. */
export const tour = (base: string, demo: boolean, setupLink: string | null, publicUrl = base): string => {
  const docs = `Open ${publicUrl}/docs to read the interface and try it.\n`;
  const first =
    setupLink === null ? '' : `\nThe clinic has no admin yet. Begin here, within an hour:\n  ${setupLink}\n`;
  if (!demo) return `${docs}Janji listens on ${base}\n${first}`;
  const [doctor] = demoIds.doctors;
  const [session] = demoIds.sessions;
  const json = `-H 'Content-Type: application/json'`;
  return `${docs}Janji listens on ${base} with the demo clinic.
Accounts (password ${demoPassword}): ${demoAccounts.map(({ email }) => email).join(', ')}

Paste this into another terminal:
  TOKEN=$(curl -s ${base}/v1/auth/login ${json} -d '{"email":"pasien@klinik.example","password":"${demoPassword}"}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
  SLOT=$(curl -s '${base}/v1/doctors/${doctor}/slots' | sed 's/.*"data":\\[{"schedule_date":"\\([^"]*\\)","schedule_time":"\\([^"]*\\)".*/"schedule_date":"\\1","schedule_time":"\\2"/')
  curl -s ${base}/v1/bookings -H "Authorization: Bearer $TOKEN" ${json} -d '{"doctor_id":"${doctor}","session_id":"${session}",'"$SLOT"'}'
`;
};
