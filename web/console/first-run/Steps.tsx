import { Check } from 'lucide';
import type { ComponentType } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ErrorBoundary, LocationProvider, useLocation } from 'preact-iso';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Preferences } from '../../shared/ui/Preferences.tsx';
import { common } from '../../shared/words.ts';
import { useMissing } from '../data/setup.ts';
import type { Missing } from '../missing/MissingList.tsx';
import { leave } from '../shell/idle.ts';
import { useLostFocus } from '../ui/lostFocus.ts';
import look from '../ui/page.module.css';
import { Age } from '../ui/Shown.tsx';
import { beginning } from '../words/first-run.ts';
import { words } from '../words.ts';
import { Backups } from './Backups.tsx';
import { Doctors } from './Doctors.tsx';
import style from './FirstRun.module.css';
import { ClinicStep, HolidaysStep, PeopleStep, Ready, Sessions } from './few.tsx';
import { Security } from './later.tsx';
import { Mail } from './Mail.tsx';

interface Step {
  name: keyof typeof beginning.value.names;
  /** The part of the set-up that the step completes; a step without one is never shown as done. */
  ends?: readonly Missing[];
  Part: ComponentType<{ onDone: () => void }>;
}

const steps: readonly Step[] = [
  { name: 'keamanan', ends: ['second_factor'], Part: Security },
  { name: 'klinik', ends: ['clinic_name'], Part: ClinicStep },
  { name: 'layanan', ends: ['session'], Part: Sessions },
  { name: 'dokter', ends: ['doctor', 'schedule'], Part: Doctors },
  { name: 'libur', Part: HolidaysStep },
  { name: 'orang', Part: PeopleStep },
  { name: 'email', ends: ['mail', 'mail_failing'], Part: Mail },
  { name: 'cadangan', ends: ['backup'], Part: Backups },
  { name: 'selesai', Part: Ready },
];

const addressOf = ({ name }: Step): string => `/mulai/${name}`;

type Read = readonly Missing[] | undefined;

/** Whether a step is done, as far as the data shows. */
const isDone = ({ ends }: Step, missing: Read): boolean =>
  ends !== undefined && missing !== undefined && !ends.some((one) => missing.includes(one));

const Rail = ({ at, missing }: { at: number; missing: Read }) => {
  const text = beginning.value;
  return (
    <nav class={style.steps} aria-label={text.steps}>
      <ol>
        {steps.map((step, nth) => (
          <li key={step.name}>
            <a class={style.step} href={addressOf(step)} aria-current={nth === at ? 'step' : undefined}>
              <span class={style.nth} aria-hidden="true">
                {isDone(step, missing) ? <Icon of={Check} size={16} /> : nth + 1}
              </span>
              <span>{text.names[step.name]}</span>
              {isDone(step, missing) && <span class="aloud">, {text.done}</span>}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
};

/** One step after another; each can be skipped, and done later. */
const Guide = () => {
  const { path, route } = useLocation();
  const missing = useMissing().value;
  const text = beginning.value;
  const heading = useRef<HTMLHeadingElement>(null);
  const main = useRef<HTMLElement>(null);
  useLostFocus(main, heading);
  const found = steps.findIndex((step) => addressOf(step) === path);
  const at = Math.max(0, found);
  const [step, before, after] = [steps[at], steps[at - 1], steps[at + 1]];
  useLayoutEffect(() => {
    heading.current?.focus();
    scrollTo(0, 0);
  }, [at]);
  useLayoutEffect(() => {
    if (step !== undefined) document.title = `${text.names[step.name]} · ${text.title}`;
  }, [step, text]);
  if (step === undefined) return null;
  const { Part } = step;
  const isOpen = step.ends !== undefined && !isDone(step, missing.data?.missing);
  return (
    <div class={style.frame}>
      <a class={style.skip} href="#isi">
        {common.value.skip}
      </a>
      <header class={style.head}>
        <p class={style.product}>{text.title}</p>
        <ButtonLink small href="/konsol/">
          {text.toConsole}
        </ButtonLink>
        <Button small onClick={() => leave(false)}>
          {words.value.logOut}
        </Button>
      </header>
      <div class={style.columns}>
        <Rail at={at} missing={missing.data?.missing} />
        <main id="isi" class={style.main} tabIndex={-1} ref={main}>
          <Age of={missing} />
          <div>
            <p class={look.soft}>{text.step(at + 1, steps.length)}</p>
            <h1 tabIndex={-1} ref={heading}>
              {text.names[step.name]}
            </h1>
          </div>
          <p>{text.about[step.name]}</p>
          <ErrorBoundary key={step.name}>
            <Part onDone={() => after !== undefined && route(addressOf(after))} />
          </ErrorBoundary>
          <div class={style.foot}>
            {before !== undefined && <ButtonLink href={addressOf(before)}>{text.back}</ButtonLink>}
            {after !== undefined && (
              <ButtonLink look={isOpen ? 'plain' : 'primary'} href={addressOf(after)}>
                {isOpen ? text.skip : text.next}
              </ButtonLink>
            )}
          </div>
        </main>
      </div>
      <footer class={style.preferences}>
        <Preferences />
      </footer>
    </div>
  );
};

export const Steps = () => (
  <LocationProvider scope="/mulai">
    <Guide />
  </LocationProvider>
);
