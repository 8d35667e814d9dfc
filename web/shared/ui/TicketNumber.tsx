import style from './TicketNumber.module.css';

/** A queue label such as B-12, large, in figures of one width; read aloud as letter and number. */
export const TicketNumber = ({
  label,
  size = 'large',
}: {
  label: string;
  size?: 'large' | 'middle' | 'row';
}) => <span class={`${style.label} ${style[size]}`}>{label}</span>;
