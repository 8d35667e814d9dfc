import { useSignal } from '@preact/signals';
import { Download } from 'lucide';
import { useAttempt } from '../../shared/api/attempt.ts';
import { DateField } from '../../shared/dates/DateField.tsx';
import { submitBy } from '../../shared/form.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Select } from '../../shared/ui/Field.tsx';
import { confirmedly } from '../../shared/ui/reauth.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import { useAddress } from '../data/address.ts';
import { today } from '../data/clinic.ts';
import { download } from '../data/file.ts';
import { Page } from '../shell/Page.tsx';
import look from '../ui/page.module.css';
import { whyNot } from '../ui/Shown.tsx';
import { own } from '../words/clinic.ts';
import { words } from '../words.ts';

const kinds = ['patients', 'bookings', 'doctors', 'sessions', 'schedules', 'closures'] as const;
const formats = ['excel', 'csv', 'ndjson'] as const;

/** All data of a kind as a file to keep, for an admin who has just confirmed it. */
const Export = () => {
  const { query, set } = useAddress();
  const text = own.value.exports;
  const done = useSignal('');
  const kind = kinds.find((one) => one === query.data) ?? 'patients';
  const format = formats.find((one) => one === query.bentuk) ?? 'excel';
  const since = query.sejak ?? '';
  const attempt = useAttempt(async () => {
    done.value = '';
    const asked = new URLSearchParams({ format, ...(since !== '' && { updated_since: since }) });
    const file = `${kind}-${today()}.${format === 'ndjson' ? 'ndjson' : 'csv'}`;
    await confirmedly(() => download(`/v1/export/${kind}?${asked}`, file));
    done.value = text.done(file);
  });
  return (
    <Page title={words.value.nav.ekspor}>
      <div class={look.body}>
        <p class={look.soft}>{text.about}</p>
        <form class={look.form} onSubmit={submitBy(attempt)}>
          <div class={look.fields}>
            <Select
              label={text.kind}
              value={kind}
              onChange={(event) => set({ data: event.currentTarget.value })}
            >
              {kinds.map((one) => (
                <option key={one} value={one}>
                  {text.kinds[one]}
                </option>
              ))}
            </Select>
            <DateField
              label={text.since}
              optional
              max={today()}
              value={since}
              onDone={(date) => set({ sejak: date || null })}
            />
            <Select
              label={text.format}
              value={format}
              onChange={(event) => set({ bentuk: event.currentTarget.value })}
            >
              {formats.map((one) => (
                <option key={one} value={one}>
                  {text.formats[one]}
                </option>
              ))}
            </Select>
          </div>
          <FormFailure failure={attempt.failure.value} />
          <div class={look.line}>
            <Button type="submit" look="primary" icon={Download} busy={attempt.busy.value} why={whyNot()}>
              {text.download}
            </Button>
            <span role="status">{done.value}</span>
          </div>
        </form>
      </div>
    </Page>
  );
};

export default Export;
