import { useComputed } from '@preact/signals';
import { dateOf, dayAndMonth, timeOf } from '../../shared/time.ts';
import { pageAt, splitPages } from '../logic/pages.ts';
import { latestCall } from '../logic/queue.ts';
import type { ScreenModel } from '../screen.ts';
import { words } from '../words.ts';
import { Latest } from './Latest.tsx';
import { Rows } from './Rows.tsx';

interface Props {
  model: ScreenModel;
  /** Whether the browser waits for a user gesture before it plays sound. */
  isLocked: boolean;
  onUnlock: () => void;
  onChange: () => void;
}

/** No call, or no data: the time, and one sentence. */
const Still = ({ model, lines }: { model: ScreenModel; lines: readonly string[] }) => {
  const time = useComputed(() => timeOf(model.now.value));
  const day = useComputed(() => dayAndMonth(dateOf(model.now.value)));
  const [first, ...rest] = lines;
  return (
    <section class="still">
      <p class="clock">{time}</p>
      <p class="day">{day}</p>
      <p class="first">{first}</p>
      {rest.map((line) => (
        <p key={line} class="rest">
          {line}
        </p>
      ))}
    </section>
  );
};

const Left = ({ model }: { model: ScreenModel }) => {
  const own = words.value;
  const call = model.highlighted.value ?? latestCall(model.queues.value ?? []);
  if (call === null) return <Still model={model} lines={[own.nobodyYet, own.pleaseWait]} />;
  return <Latest call={call} isNew={model.highlighted.value !== null} isOld={model.loss.value === 'old'} />;
};

const Right = ({ model }: { model: ScreenModel }) => {
  const own = words.value;
  const pages = useComputed(() => splitPages(model.queues.value ?? []));
  const page = useComputed(() =>
    pageAt(pages.value, model.now.value, model.highlighted.value?.queue ?? null),
  );
  if (model.loss.value === 'old')
    return (
      <section class="queues aside">
        <p>{own.listHidden}</p>
        <p>{own.listen}</p>
      </section>
    );
  const shown = pages.value[page.value];
  if (shown === undefined)
    return (
      <section class="queues aside">
        <p>{own.noQueues}</p>
      </section>
    );
  return <Rows page={shown} called={model.highlighted.value} />;
};

const Foot = ({ model, isLocked, onUnlock, onChange }: Props) => {
  const own = words.value;
  const time = useComputed(() => timeOf(model.now.value));
  const day = useComputed(() => dayAndMonth(dateOf(model.now.value)));
  const read = useComputed(() => (model.answeredAt.value === null ? null : timeOf(model.answeredAt.value)));
  const page = useComputed(() => {
    const pages = splitPages(model.queues.value ?? []);
    if (pages.length < 2) return null;
    return words.value.page(
      pageAt(pages, model.now.value, model.highlighted.value?.queue ?? null) + 1,
      pages.length,
    );
  });
  const isCut = model.loss.value !== 'fresh';
  return (
    <footer class={isCut ? 'is-cut' : ''}>
      {isCut ? (
        <p class="cut" role="status">
          {read.value === null ? own.cut : own.cutSince(read.value)}
        </p>
      ) : (
        <>
          {model.logo.value !== null && <img class="logo" src={model.logo.value} alt="" />}
          <p class="clinic">{model.clinic.value || own.title}</p>
          {page.value !== null && <p>{page}</p>}
          {read.value !== null && <p class="age">{own.updated(read.value)}</p>}
          {isLocked ? (
            <button type="button" class="unlock" onClick={onUnlock}>
              {own.unlock}
            </button>
          ) : (
            page.value === null && <p class="date">{day}</p>
          )}
        </>
      )}
      <button type="button" class="change" onClick={onChange}>
        {own.change}
      </button>
      <p class="time">{time}</p>
    </footer>
  );
};

/** The waiting room's television. */
export const Screen = (props: Props) => {
  const { model } = props;
  const own = words.value;
  const said = useComputed(() => {
    const call = model.saying.value;
    return call === null ? undefined : `${call.label} ${call.count}`;
  });
  const isLost = model.loss.value === 'lost' || model.queues.value === null;
  const lines = model.loss.value === 'fresh' ? [own.connecting] : [own.lost, own.askDesk];
  return (
    <div class="screen" data-loss={model.loss} data-saying={said}>
      <main class={isLost ? 'alone' : ''}>
        <h1 class="aloud">{own.title}</h1>
        {isLost ? (
          <Still model={model} lines={lines} />
        ) : (
          <>
            <Left model={model} />
            <Right model={model} />
          </>
        )}
      </main>
      <Foot {...props} />
    </div>
  );
};
