import { Page } from '../shell/Page.tsx';
export default () => <Page title="…">…</Page>;
