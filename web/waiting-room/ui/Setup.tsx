import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { open } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { buildAddress, type Look, prefixesIn, type Settings, type Voice, voices } from '../address.ts';
import type { Queue } from '../logic/queue.ts';
import { words } from '../words.ts';

interface Props {
  settings: Settings;
  onTry: (settings: Settings) => void;
  onStart: (settings: Settings) => void;
}

const looks: readonly Look[] = ['gelap', 'terang'];
const languages: readonly Settings['language'][] = ['id', 'en'];
const volumes = [20, 40, 60, 80, 100];

type Read = readonly Queue[] | 'reading' | 'unread';

const useQueues = () => {
  const read = useSignal<Read>('reading');
  const look = async (): Promise<void> => {
    read.value = 'reading';
    try {
      read.value = (await take(open.v1.queues.$get({ query: {} }))).data;
    } catch {
      read.value = 'unread';
    }
  };
  useEffect(() => void look(), []);
  return { read, look };
};

interface ChoiceProps {
  chosen: readonly string[];
  onChoose: (queues: string[]) => void;
}

const Queues = ({ chosen, onChoose }: ChoiceProps) => {
  const own = words.value;
  const { read, look } = useQueues();
  const today = typeof read.value === 'string' ? [] : read.value;
  const isToday = (prefix: string) => today.some((queue) => queue.prefix === prefix);
  const others = chosen.filter((prefix) => !isToday(prefix));
  const toggle = (prefix: string, isOn: boolean) =>
    onChoose(isOn ? [...chosen, prefix] : chosen.filter((one) => one !== prefix));
  return (
    <fieldset>
      <legend>{own.queues}</legend>
      <label class="choice">
        <input
          type="checkbox"
          checked={chosen.length === 0}
          onChange={(event) => {
            // It is deselected only by choosing another.
            event.currentTarget.checked = true;
            onChoose([]);
          }}
        />
        <span>{own.allQueues}</span>
      </label>
      {today.map(({ prefix, room, doctor_name }) => (
        <label key={prefix} class="choice">
          <input
            type="checkbox"
            checked={chosen.includes(prefix)}
            onChange={(event) => toggle(prefix, event.currentTarget.checked)}
          />
          <span>
            <strong>{prefix}</strong> {[room, doctor_name].filter((part) => part !== '').join(' · ')}
          </span>
        </label>
      ))}
      {read.value === 'reading' && <p aria-busy="true">{own.loadingQueues}</p>}
      {read.value === 'unread' && (
        <p>
          {own.queuesUnread}{' '}
          <button type="button" onClick={() => void look()}>
            {own.retry}
          </button>
        </p>
      )}
      {typeof read.value !== 'string' && today.length === 0 && <p>{own.noQueuesToday}</p>}
      <label class="field">
        <span>{own.moreQueues}</span>
        <input
          type="text"
          autocomplete="off"
          value={others.join(', ')}
          aria-describedby="more-hint"
          onChange={(event) =>
            onChoose([...chosen.filter(isToday), ...prefixesIn(event.currentTarget.value)])
          }
        />
      </label>
      <p id="more-hint" class="hint">
        {own.moreQueuesHint}
      </p>
      <p class="hint">{own.advice}</p>
    </fieldset>
  );
};

interface SelectProps<T extends string> {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChoose: (value: T) => void;
}

const Select = <T extends string>({ label, value, options, onChoose }: SelectProps<T>) => (
  <label class="field">
    <span>{label}</span>
    <select value={value} onChange={(event) => onChoose(event.currentTarget.value as T)}>
      {options.map(([code, name]) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </select>
  </label>
);

/** Sets a screen's content and sound; the settings are stored in the address. */
export const Setup = ({ settings, onTry, onStart }: Props) => {
  const own = words.value;
  const chosen = useSignal(settings);
  const change = (part: Partial<Settings>): void => {
    const next = { ...chosen.value, ...part };
    chosen.value = next;
    document.documentElement.dataset.look = next.look;
    history.replaceState(null, '', `${buildAddress(next)}&atur=1`);
    // The words of another language are loaded with a new page.
    if (part.language !== undefined) location.reload();
  };
  const { look, voice, volume, language, queues } = chosen.value;
  const levels = [...new Set([...volumes, volume])].sort((a, b) => a - b);
  return (
    <main class="setup">
      <h1>{own.setUp}</h1>
      <p>{own.intro}</p>
      {!isSecureContext && <p class="warning">{own.insecure}</p>}
      <Queues chosen={queues} onChoose={(next) => change({ queues: next })} />
      <div class="fields">
        <Select
          label={own.look}
          value={look}
          options={looks.map((one) => [one, own.looks[one]] as const)}
          onChoose={(next) => change({ look: next })}
        />
        <Select
          label={own.voice}
          value={voice}
          options={voices.map((one): [Voice, string] => [one, own.voices[one]])}
          onChoose={(next) => change({ voice: next })}
        />
        <Select
          label={own.volume}
          value={String(volume)}
          options={levels.map((one) => [String(one), `${one} %`] as const)}
          onChoose={(next) => change({ volume: Number(next) })}
        />
        <Select
          label={own.language}
          value={language}
          options={languages.map((one) => [one, own.languages[one]] as const)}
          onChoose={(next) => change({ language: next })}
        />
      </div>
      <div class="actions">
        <button type="button" class="go" onClick={() => onStart(chosen.value)}>
          {own.start}
        </button>
        <button type="button" onClick={() => onTry(chosen.value)}>
          {own.trySound}
        </button>
      </div>
    </main>
  );
};
