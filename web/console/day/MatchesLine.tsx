import { useMatchCount } from '../data/matches.ts';
import { words } from '../words.ts';
import style from './Day.module.css';

/** How many records wait for the desk to give them to their patients; nothing while none does. */
export const MatchesLine = () => {
  const count = useMatchCount();
  return count === 0 ? null : (
    <a class={style.matches} href="/konsol/cocok">
      {words.value.matchesCount(count)}
    </a>
  );
};
