import { useSignal } from '@preact/signals';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { submitBy } from '../../shared/form.ts';
import { online } from '../../shared/online.ts';
import { duration } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import type { Schemas } from '../data/bookings.ts';
import look from '../ui/page.module.css';
import { desk } from '../words/desk.ts';
import style from './Queue.module.css';

/** Announces a delay to a doctor's patients, and withdraws it. */
export const Notice = ({ queue, date }: { queue: Schemas['Queue']; date: string }) => {
  const text = desk.value.queue;
  const { notice } = queue;
  const minutes = useSignal(String(notice?.delay_minutes ?? 15));
  const message = useSignal(notice?.message ?? '');
  const isDone = useSignal(false);
  const param = { id: queue.doctor_id };
  const renew = () => queries.invalidateQueries({ queryKey: ['antrean'] });
  const tell = useAttempt(async () => {
    await take(
      api.v1.doctors[':id'].notice.$put({
        param,
        json: { date, delay_minutes: Number(minutes.peek()), message: message.peek() },
      }),
    );
    isDone.value = true;
    await renew();
  });
  const back = useAttempt(async () => {
    await take(api.v1.doctors[':id'].notice.$delete({ param, query: { date } }));
    // The announced delay is no longer in force.
    isDone.value = false;
    await renew();
  });
  const why = online.value ? null : common.value.offlineAction;
  const failure = tell.failure.value ?? back.failure.value;
  const fields = failure instanceof Refused ? failure.fields : {};
  return (
    <details class={style.notice}>
      <summary>
        {text.notice}
        {notice && `: ${duration(notice.delay_minutes)}`}
      </summary>
      <form class={look.form} onSubmit={submitBy(tell)}>
        <FormFailure failure={failure} labels={{ delay_minutes: text.minutes, message: text.message }} />
        {notice && <p>{text.noticeStands(duration(notice.delay_minutes))}</p>}
        <Field
          label={text.minutes}
          type="number"
          min={1}
          max={480}
          required
          value={minutes.value}
          onInput={(event) => (minutes.value = event.currentTarget.value)}
          errors={fields.delay_minutes}
        />
        <Field
          label={text.message}
          optional
          maxLength={200}
          value={message.value}
          onInput={(event) => (message.value = event.currentTarget.value)}
          errors={fields.message}
        />
        <div class={look.line}>
          <Button small type="submit" busy={tell.busy.value} why={why}>
            {text.tell}
          </Button>
          {notice && (
            <Button small busy={back.busy.value} why={why} onClick={() => void back.run()}>
              {text.takeBack}
            </Button>
          )}
          <span role="status">{isDone.value ? text.told : ''}</span>
        </div>
      </form>
    </details>
  );
};
