import type { IconNode } from 'lucide';
import { createElement } from 'preact';

interface Props {
  of: IconNode;
  size?: number;
  class?: string;
}

/** An icon beside its word: it adds no information, so screen readers ignore it. */
export const Icon = ({ of, size = 20, class: own }: Props) => (
  <svg
    class={own}
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    {of.map(([tag, attributes]) => createElement(tag, attributes))}
  </svg>
);
