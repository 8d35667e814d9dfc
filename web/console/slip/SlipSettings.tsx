import { useSignal } from '@preact/signals';
import { Printer } from 'lucide';
import { Unreached } from '../../shared/api/take.ts';
import { paper, setPaper, setWithName, type Width, widths, withName } from '../../shared/slip/paper.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Check, Select } from '../../shared/ui/Field.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import { clinicName, now, today } from '../data/clinic.ts';
import look from '../ui/page.module.css';
import { slipWords } from '../words/slip.ts';

/** The printer of slips at this device, and a page to try it with. */
export const SlipSettings = () => {
  const text = slipWords.value;
  const failure = useSignal<Error | null>(null);
  const test = async (width: Width): Promise<void> => {
    failure.value = null;
    try {
      const { printSlip } = await import('../../shared/slip/print.tsx');
      const sample = {
        clinic: clinicName.peek(),
        queue_label: 'A-012',
        doctor_name: text.testDoctor,
        session_name: text.testSession,
        room: text.testRoom,
        schedule_date: today(),
        schedule_time: '09:30:00',
        starts_at: new Date(now.peek()).toISOString(),
        booking_code: 'ABCD2345',
      };
      await printSlip(
        { ...sample, name: withName.peek() ? text.testPatient : null, heading: text.testTitle },
        width,
      );
    } catch (error) {
      failure.value = new Unreached('Failed.', { cause: error });
    }
  };
  const width = paper.value;
  return (
    <section class={look.starts} aria-labelledby="karcis">
      <h2 id="karcis">{text.title}</h2>
      <p class={look.soft}>{text.about}</p>
      <Select
        label={text.paper}
        value={width === null ? '' : String(width)}
        onChange={(event) => {
          const { value } = event.currentTarget;
          setPaper(widths.find((one) => String(one) === value) ?? null);
        }}
      >
        <option value="">{text.none}</option>
        {widths.map((one) => (
          <option key={one} value={String(one)}>
            {text.width(one)}
          </option>
        ))}
      </Select>
      {width !== null && (
        <>
          <Check
            label={text.withName}
            checked={withName.value}
            onChange={(event) => setWithName(event.currentTarget.checked)}
          />
          <FormFailure failure={failure.value} />
          <div class={look.line}>
            <Button icon={Printer} onClick={() => void test(width)}>
              {text.test}
            </Button>
          </div>
        </>
      )}
    </section>
  );
};
