import { useSignal } from '@preact/signals';
import { queries, useResource } from '../shared/api/resource.ts';
import { Button } from '../shared/ui/Button.tsx';
import { Confirm } from '../shared/ui/Confirm.tsx';
import { Banner } from '../shared/ui/States.tsx';
import style from './Clinics.module.css';
import { type Approved, approveSignup, readSignups, rejectSignup, type Signup } from './data.ts';
import { formatWhen } from './when.ts';
import { words } from './words.ts';

interface Asked {
  signup: Signup;
  verb: 'approve' | 'reject';
}

const Question = ({
  asked: { signup, verb },
  onApproved,
  onClose,
}: {
  asked: Asked;
  onApproved: (approved: Approved) => void;
  onClose: () => void;
}) => {
  const text = words.value.signups;
  const { id, name, host, email } = signup;
  const isApproval = verb === 'approve';
  return (
    <Confirm
      title={isApproval ? text.approveTitle(name) : text.rejectTitle(name)}
      text={isApproval ? text.approveText(host, email) : text.rejectText}
      verb={isApproval ? text.approveVerb : text.rejectVerb}
      work={async () => {
        if (isApproval) onApproved((await approveSignup(id)).data);
        else await rejectSignup(id);
        await queries.invalidateQueries();
      }}
      onClose={onClose}
    />
  );
};

/** The clinics that wait for a decision; nothing where none does. */
export const Signups = () => {
  const text = words.value.signups;
  const asked = useSignal<Asked | null>(null);
  const approved = useSignal<Approved | null>(null);
  const { data } = useResource({ queryKey: ['signups'], queryFn: readSignups }).value;
  const waiting = data?.data ?? [];
  const made = approved.value;
  if (waiting.length === 0 && made === null && asked.value === null) return null;
  return (
    <section class={style.section}>
      <h2>{text.title}</h2>
      {made !== null && (
        <Banner role="status">
          <p>{made.mailed ? text.mailed(made.name, made.email) : text.notMailed(made.name, made.email)}</p>
          {!made.mailed && <code class={style.secret}>{made.link}</code>}
        </Banner>
      )}
      <ul class={style.acts}>
        {waiting.map((signup) => (
          <li key={signup.id} class={style.top}>
            <div>
              <strong>{signup.name}</strong>
              <div class={style.soft}>
                {signup.host}, {signup.email}, {formatWhen(signup.asked_at)}
              </div>
            </div>
            <div class={style.pages}>
              <Button
                small
                aria-label={text.reject(signup.name)}
                onClick={() => (asked.value = { signup, verb: 'reject' })}
              >
                {text.rejectVerb}
              </Button>
              <Button
                small
                look="primary"
                aria-label={text.approve(signup.name)}
                onClick={() => (asked.value = { signup, verb: 'approve' })}
              >
                {text.approveVerb}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {asked.value !== null && (
        <Question
          asked={asked.value}
          onApproved={(one) => (approved.value = one)}
          onClose={() => (asked.value = null)}
        />
      )}
    </section>
  );
};
