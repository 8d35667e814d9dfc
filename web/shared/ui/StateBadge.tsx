import { CalendarCheck, Check, Clock, type IconNode, Megaphone, UserCheck, UserX, X } from 'lucide';
import { common } from '../words.ts';
import { Icon } from './Icon.tsx';
import style from './StateBadge.module.css';

export type State =
  | 'waiting'
  | 'approved'
  | 'checked_in'
  | 'called'
  | 'completed'
  | 'no_show'
  | 'canceled'
  | 'rejected'
  | 'expired';

const icons: Readonly<Record<State, IconNode>> = {
  waiting: Clock,
  approved: CalendarCheck,
  checked_in: UserCheck,
  called: Megaphone,
  completed: Check,
  no_show: UserX,
  canceled: X,
  rejected: X,
  expired: X,
};

/** A state is always an icon and a word. `word` is a shorter one; `more` comes after it, such as a time. */
export const StateBadge = ({ state, word, more }: { state: State; word?: string; more?: string }) => (
  <span class={`${style.badge} ${style[state]}`}>
    <Icon of={icons[state]} size={18} />
    {word ?? common.value.states[state]}
    {more && ` ${more}`}
  </span>
);
