import { useSignal } from '@preact/signals';
import { Plus } from 'lucide';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { readAll } from '../../shared/api/pages.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Confirm } from '../../shared/ui/Confirm.tsx';
import { openBeside } from '../../shared/ui/esc.tsx';
import { confirmedly } from '../../shared/ui/reauth.tsx';
import { Banner, Empty } from '../../shared/ui/States.tsx';
import { useAddress } from '../data/address.ts';
import type { Schemas } from '../data/bookings.ts';
import { useRead } from '../data/read.ts';
import { Page } from '../shell/Page.tsx';
import { Copy } from '../ui/Copy.tsx';
import { createCloser } from '../ui/EditPanel.tsx';
import look from '../ui/page.module.css';
import { Age, Refusal, Shown, whyNot } from '../ui/Shown.tsx';
import { setup } from '../words/settings.ts';
import { words } from '../words.ts';
import { Deliveries } from './Deliveries.tsx';
import { ExchangeTexts } from './Exchange.tsx';
import { ReceiverForm } from './ReceiverForm.tsx';

type Hook = Schemas['Webhook'];

const stateText = ({ status, paused_reason }: Hook): string => {
  const text = setup.value.webhooks;
  if (status === 'active') return text.active;
  return paused_reason === null ? text.pausedPlain : text.paused[paused_reason];
};

interface Tested {
  delivered: boolean;
  error: Schemas['WebhookDelivery']['error'] | 'secret_lost';
  exchange: Schemas['WebhookExchange'] | null;
}

/** What became of a test that was sent. */
const TestResult = ({ result: { delivered, error, exchange } }: { result: Tested }) => {
  const text = setup.value.webhooks;
  return (
    <Banner kind={delivered ? 'note' : 'warning'} role="status">
      <p>{delivered ? text.testDone : text.testFailed(error && text.errors[error])}</p>
      {exchange !== null && <ExchangeTexts exchange={exchange} />}
    </Banner>
  );
};

const everyMs = 30_000;

/** The webhook receivers, and whether deliveries reach them. */
const Webhooks = () => {
  const text = setup.value.webhooks;
  const { query, set } = useAddress();
  const hooks = useRead({
    queryKey: ['webhook'],
    queryFn: () => readAll((page) => take(api.v1.admin.webhooks.$get({ query: page }))),
    refetchInterval: everyMs,
  }).value;
  const editing = useSignal<Hook | 'new' | null>(null);
  const asking = useSignal<{ kind: 'rotate' | 'remove'; hook: Hook } | null>(null);
  const secret = useSignal<string | null>(null);
  const renew = () => queries.invalidateQueries({ queryKey: ['webhook'] });
  const toggle = useAttempt(async (_key, hook: Hook) => {
    await confirmedly(() =>
      take(
        api.v1.admin.webhooks[':id'].$patch({
          param: { id: hook.id },
          json: { status: hook.status === 'active' ? 'paused' : 'active' },
        }),
      ),
    );
    await renew();
  });
  const tested = useSignal<{ id: string; result: Tested } | null>(null);
  const test = useAttempt(async (key, hook: Hook) => {
    tested.value = null;
    const { data } = await take(
      api.v1.admin.webhooks[':id'].test.$post({
        param: { id: hook.id },
        header: { 'Idempotency-Key': key },
      }),
    );
    tested.value = { id: hook.id, result: data };
  });
  const doAsked = async (): Promise<void> => {
    const asked = asking.peek();
    if (asked === null) return;
    const param = { id: asked.hook.id };
    if (asked.kind === 'remove') {
      // Once it is deleted it cannot be read again.
      if (query.penerima === param.id) set({ penerima: null });
      if (editing.peek() !== 'new') editing.value = null;
      await confirmedly(() => take(api.v1.admin.webhooks[':id'].$delete({ param })));
    } else {
      const { data } = await confirmedly(() =>
        take(api.v1.admin.webhooks[':id']['rotate-secret'].$post({ param })),
      );
      secret.value = data.secret;
    }
    await renew();
  };
  const shown = hooks.data?.find((one) => one.id === query.penerima);
  const chosen = editing.value;
  const add = (
    <Button small icon={Plus} onClick={() => openBeside(editing, 'new')}>
      {text.add}
    </Button>
  );
  return (
    <Page
      title={words.value.nav.webhook}
      beside={add}
      aside={
        chosen === null ? undefined : (
          <ReceiverForm
            key={chosen === 'new' ? 'new' : chosen.id}
            hook={chosen === 'new' ? null : chosen}
            onClose={createCloser(editing)}
            onSecret={(text) => (secret.value = text)}
          />
        )
      }
    >
      <Age of={hooks} everyMs={everyMs} />
      <div class={look.body}>
        <p class={look.soft}>{text.about}</p>
        {secret.value !== null && (
          <Banner kind="warning" role="status">
            <p>{text.secret}</p>
            <Copy text={secret.value} />
          </Banner>
        )}
        <Refusal of={toggle} />
        <Refusal of={test} />
        <Shown of={hooks} rows={3} height={90} empty={<Empty action={add}>{text.empty}</Empty>}>
          {(all) => (
            <>
              {all.map((hook) => (
                <section key={hook.id} class={look.card} aria-label={hook.description || hook.url}>
                  <h2>{hook.description || hook.url}</h2>
                  <p class={look.soft}>{hook.url}</p>
                  <p>
                    {stateText(hook)} ·{' '}
                    {hook.event_types.length === 0 ? text.allTypes : hook.event_types.join(', ')}
                  </p>
                  <div class={look.line}>
                    <Button
                      small
                      aria-pressed={shown?.id === hook.id}
                      onClick={() => set({ penerima: shown?.id === hook.id ? null : hook.id })}
                    >
                      {text.deliveries}
                    </Button>
                    <Button small onClick={() => openBeside(editing, hook)}>
                      {words.value.edit}
                    </Button>
                    <Button
                      small
                      busy={toggle.busy.value}
                      why={whyNot()}
                      onClick={() => void toggle.run(hook)}
                    >
                      {hook.status === 'active' ? text.pause : text.resume}
                    </Button>
                    <Button small busy={test.busy.value} why={whyNot()} onClick={() => void test.run(hook)}>
                      {text.test}
                    </Button>
                    <Button small onClick={() => (asking.value = { kind: 'rotate', hook })}>
                      {text.rotate}
                    </Button>
                    <Button small look="danger" onClick={() => (asking.value = { kind: 'remove', hook })}>
                      {text.remove}
                    </Button>
                  </div>
                  {tested.value?.id === hook.id && <TestResult result={tested.value.result} />}
                  {shown?.id === hook.id && <Deliveries id={hook.id} />}
                </section>
              ))}
            </>
          )}
        </Shown>
      </div>
      {asking.value !== null && (
        <Confirm
          title={asking.value.kind === 'rotate' ? text.askRotate : text.askRemove}
          text={asking.value.kind === 'rotate' ? text.askRotateText : text.askRemoveText}
          verb={asking.value.kind === 'rotate' ? text.rotate : text.remove}
          work={doAsked}
          onClose={() => (asking.value = null)}
        />
      )}
    </Page>
  );
};

export default Webhooks;
