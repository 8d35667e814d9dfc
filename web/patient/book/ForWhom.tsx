import type { Signal } from '@preact/signals';
import { Pending } from '../../shared/ui/States.tsx';
import form from '../form.module.css';
import { words } from '../words.ts';
import style from './ForWhom.module.css';
import { useFamily } from './family.ts';

/** The patient: the account's owner or a family member; hidden if there is nobody to choose from. */
export const ForWhom = ({ chosen, isFixed }: { chosen: Signal<string | null>; isFixed?: boolean }) => {
  const w = words.value;
  const { data: family, error, refetch } = useFamily();
  if (family === undefined) return <Pending rows={1} height={96} error={error} again={refetch} />;
  if (family.length < 2) return null;
  const marked = chosen.value ?? family[0]?.id;
  return (
    <fieldset class={style.people} disabled={isFixed}>
      <legend class={style.legend}>{w.forWhom}</legend>
      {family.map(({ id, name, relation }) => (
        <label key={id} class={style.person}>
          <input type="radio" name="untuk" checked={id === marked} onChange={() => (chosen.value = id)} />
          <span>
            {name} <span class={form.small}>({w.relations[relation]})</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
};
