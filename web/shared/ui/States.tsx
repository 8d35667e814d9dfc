import { signal, useSignal } from '@preact/signals';
import { CircleAlert, type IconNode, TriangleAlert, WifiOff } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Refused, type Unreached } from '../api/take.ts';
import { serviceTime } from '../clock.ts';
import { online } from '../online.ts';
import { timeOf, waitInWords } from '../time.ts';
import { common } from '../words.ts';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';
import style from './States.module.css';

/** How many parts of the page are still loading. */
export const reading = signal(0);

/** A placeholder in the final shape, grey after a moment: fast answers do not flicker, and nothing below it moves. */
export const Skeleton = ({ rows = 3, height = 72 }: { rows?: number; height?: number }) => {
  const isShown = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => (isShown.value = true), 150);
    reading.value += 1;
    return () => {
      clearTimeout(timer);
      reading.value -= 1;
    };
  }, []);
  return (
    <div class={style.skeletons} aria-busy="true">
      <span class="aloud" role="status">
        {isShown.value ? common.value.loading : ''}
      </span>
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} class={isShown.value ? style.skeleton : undefined} style={{ height: `${height}px` }} />
      ))}
    </div>
  );
};

/** One sentence and the next step. */
export const Empty = ({
  icon,
  children,
  action,
}: {
  icon?: IconNode;
  children: ComponentChildren;
  action?: ComponentChildren;
}) => (
  <div class={style.empty}>
    {icon && <Icon of={icon} size={32} class={style.emptyIcon} />}
    <p>{children}</p>
    {action}
  </div>
);

interface BannerProps {
  kind?: 'note' | 'warning' | 'danger';
  icon?: IconNode;
  children: ComponentChildren;
  action?: ComponentChildren;
  role?: 'status' | 'alert';
}

export const Banner = ({ kind = 'note', icon = CircleAlert, children, action, role }: BannerProps) => (
  <div class={`${style.banner} ${style[kind]}`} role={role}>
    <Icon of={icon} />
    <div class={style.said}>{children}</div>
    {action}
  </div>
);

/** The sentence of a failure; if the service asks to wait, it counts down in words. */
export const Sentence = ({ failure }: { failure: Error }) => {
  const wait = failure instanceof Refused && failure.status === 429 ? (failure.retryAfter ?? 0) : 0;
  const left = useSignal(wait);
  useEffect(() => {
    const until = Date.now() + wait * 1000;
    left.value = wait;
    if (wait === 0) return;
    const timer = setInterval(() => (left.value = Math.max(0, (until - Date.now()) / 1000)), 1000);
    return () => clearInterval(timer);
  }, [failure]);
  const words = common.value;
  if (left.value > 0) return <>{words.throttled(waitInWords(left.value))}</>;
  return <>{failure instanceof Refused ? failure.message : words.unreachable}</>;
};

/** The request id for support, if the service itself has failed. */
const Reference = ({ failure }: { failure: Error }) =>
  failure instanceof Refused && failure.status >= 500 ? (
    <p class={style.small}>{common.value.reference(failure.body.request_id)}</p>
  ) : null;

/** A failure of what a screen reads: its sentence, another try, and the number to ask with. */
export const ReadFailure = ({ failure, again }: { failure: Error; again: () => unknown }) => (
  <Banner
    kind="danger"
    icon={TriangleAlert}
    role="alert"
    action={
      <Button small onClick={() => again()}>
        {common.value.retry}
      </Button>
    }
  >
    <p>
      <Sentence failure={failure} />
    </p>
    <Reference failure={failure} />
  </Banner>
);

interface PendingProps {
  rows: number;
  height: number;
  error: Error | null;
  again: () => unknown;
}

/** In place of what is not read yet: its outline, or why it could not be read. */
export const Pending = ({ rows, height, error, again }: PendingProps) =>
  error === null ? <Skeleton rows={rows} height={height} /> : <ReadFailure failure={error} again={again} />;

/** A failure of what a form sent, above it: takes the focus and names the fields. */
export const FormFailure = ({
  failure,
  labels = {},
}: {
  failure: Refused | Unreached | null;
  labels?: Readonly<Record<string, string>>;
}) => {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (failure !== null) box.current?.focus();
  }, [failure]);
  if (failure === null) return null;
  const all = failure instanceof Refused ? Object.entries(failure.fields) : [];
  // What is said of a field of this form is not said once more of one that it does not have.
  const said = all.flatMap(([name, sentences]) => (labels[name] === undefined ? [] : sentences));
  const fields = all.filter(([name, [first = '']]) => labels[name] !== undefined || !said.includes(first));
  const isOvertaken = failure instanceof Refused && failure.code === 'version_mismatch';
  return (
    <div
      // A person whose change came second has made no mistake.
      class={`${style.banner} ${isOvertaken ? style.warning : style.danger}`}
      role="alert"
      tabIndex={-1}
      ref={box}
    >
      <Icon of={TriangleAlert} />
      <div class={style.said}>
        <p>
          <Sentence failure={failure} />
        </p>
        <Reference failure={failure} />
        {fields.length > 0 && (
          <ul class={style.list}>
            {fields.map(([name, sentences]) => (
              <li key={name}>
                {labels[name] === undefined ? '' : `${labels[name].replace(/\?$/, '')}: `}
                {sentences.join(' ')}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
};

/**
 * The bar that warns that the data may be old, read at `at` by the device's clock: without a connection, or after a
 * failed refresh.
 */
export const Freshness = ({ at, isStale }: { at?: number | undefined; isStale?: boolean }) => {
  const words = common.value;
  const time = at === undefined || at === 0 ? '' : timeOf(serviceTime(at));
  if (!online.value)
    return (
      <Banner kind="warning" icon={WifiOff} role="status">
        {words.offline(time)}
      </Banner>
    );
  if (isStale && time !== '') return <Banner role="status">{words.stale(time)}</Banner>;
  return null;
};
