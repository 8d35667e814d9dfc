import type { ComponentProps } from 'preact';
import { online } from '../online.ts';
import { common } from '../words.ts';
import { Button } from './Button.tsx';

/** A button whose action needs the service: without a connection it stays in place, and says why it does nothing. */
export const SendButton = ({ why, ...rest }: ComponentProps<typeof Button>) => (
  <Button {...rest} why={online.value ? why : common.value.offlineAction} />
);
