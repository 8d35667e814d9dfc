import { demoAccounts, demoIds, demoPassword } from '../../demo.ts';

/** The start text for newcomers: the address, where to try the API and, in the demo clinic, accounts and commands. */
export const tour = (host: string, port: number, demo: boolean): string => {
  const base = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const docs = `Open ${base}/docs to read the interface and try it.\n`;
  if (!demo) return `${docs}Janji listens on ${base}\n`;
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
