import { dateOf, timeOf } from '../../shared/time.ts';
import { Banner } from '../../shared/ui/States.tsx';
import type { Schemas } from '../data/bookings.ts';
import { today } from '../data/clinic.ts';
import { Copy } from '../ui/Copy.tsx';
import { shortDateWithin } from '../ui/when.ts';
import { setup as words } from '../words/settings.ts';

/** How a person gets a password: by a mail, or by a link that is shown once. */
export const Setup = ({ setup }: { setup: Schemas['PasswordSetup'] | null }) => {
  if (setup === null) return null;
  const text = words.value.people;
  const until = text.until(
    `${shortDateWithin(dateOf(setup.expires_at), today())} ${timeOf(setup.expires_at)}`,
  );
  const link = setup.url ?? setup.token;
  return (
    <Banner role="status">
      <p>{setup.by === 'mail' ? text.byMail : text.byLink}</p>
      {link !== null && <Copy text={link} />}
      <p>{until}</p>
    </Banner>
  );
};
