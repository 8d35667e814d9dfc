import { Component, type ComponentChildren } from 'preact';
import { Button } from '../../shared/ui/Button.tsx';
import { Empty } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import { Page } from './Page.tsx';

/** A page that could not be loaded, or that failed while it was drawn. */
export const Broken = ({ again }: { again: () => void }) => (
  <Page title={common.value.failed}>
    <Empty action={<Button onClick={again}>{common.value.reload}</Button>}>{common.value.failed}</Empty>
  </Page>
);

interface Props {
  /** The address: a new address renders again. */
  at: string;
  children: ComponentChildren;
}

/** Replaces a page that failed to render, until the person navigates. */
export class Guard extends Component<Props, { failedAt: string | null }> {
  override state: { failedAt: string | null } = { failedAt: null };

  override componentDidCatch(): void {
    this.setState({ failedAt: this.props.at });
  }

  override render({ at, children }: Props) {
    return this.state.failedAt === at ? <Broken again={() => location.reload()} /> : children;
  }
}
