import { SettingError } from '../../../core/settings/parse-settings.ts';
import { operatorSecret } from '../../../modules/operators/caller.ts';

/** A clinic as the operators' interface shows it. */
export interface RemoteClinic {
  id: string;
  name: string;
  hosts: string[];
  state: 'open' | 'closed' | 'broken';
  bytes: number | null;
  restored_lines: number | null;
  [field: string]: unknown;
}

interface Said<T, M> {
  data: T;
  meta: M;
}

/** What a deployment refused, in its own words. */
export class RefusedThere extends Error {
  override readonly name = 'RefusedThere';
  readonly code: string;
  readonly extras: Readonly<Record<string, unknown>>;

  constructor(message: string, code: string, extras: Readonly<Record<string, unknown>>) {
    super(message);
    this.code = code;
    this.extras = extras;
  }
}

const explain = (status: number, text: string): RefusedThere => {
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(text);
  } catch {
    return new RefusedThere(`The deployment answered ${status}.`, 'unknown', {});
  }
  const fields = Object.entries((body.errors ?? {}) as Record<string, string[]>);
  const details = [body.detail, ...fields.map(([field, said]) => `${field}: ${said.join(' ')}`)].filter(
    Boolean,
  );
  const message = [body.message ?? `The deployment answered ${status}.`, ...details].join(' ');
  return new RefusedThere(message, String(body.code ?? 'unknown'), body);
};

interface Asked {
  json?: object;
  text?: string;
}

/** The operators' interface of a deployment elsewhere, on Node or on Workers, for a client that has its secret. */
export const reachDeployment = (url: string, environment: NodeJS.ProcessEnv) => {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new SettingError(
      `${url} is no address of a deployment, such as https://janji-clinics.example.workers.dev.`,
    );
  const secret = operatorSecret(environment.OPERATOR_SECRET);
  if (secret === null)
    throw new SettingError(
      'OPERATOR_SECRET is not set: it is that of the deployment, and has at least 32 bytes.',
    );
  const send = async (method: string, path: string, { json, text }: Asked = {}): Promise<Response> => {
    const body = json === undefined ? text : JSON.stringify(json);
    let answer: Response;
    try {
      answer = await fetch(new URL(`/operator/api${path}`, url), {
        method,
        headers: {
          Authorization: `Bearer ${secret}`,
          'Accept-Language': 'en',
          ...(body !== undefined && {
            'Content-Type': json === undefined ? 'application/x-ndjson' : 'application/json',
          }),
        },
        ...(body !== undefined && { body }),
        redirect: 'error',
      });
    } catch (error) {
      throw new Error(`${url} cannot be reached.`, { cause: error });
    }
    if (!answer.ok) throw explain(answer.status, await answer.text());
    return answer;
  };
  const ask = async <T, M = undefined>(method: string, path: string, json?: object): Promise<Said<T, M>> =>
    (await send(method, path, json === undefined ? {} : { json })).json() as Promise<Said<T, M>>;
  return {
    url,
    send,
    ask,
    clinic: (named: string) => `/clinics/${encodeURIComponent(named)}`,
    listClinics: async (): Promise<RemoteClinic[]> => {
      const all: RemoteClinic[] = [];
      for (let page = 1; ; page++) {
        const { data, meta } = await ask<RemoteClinic[], { pages: number }>('GET', `/clinics?page=${page}`);
        all.push(...data);
        if (page >= meta.pages) return all;
      }
    },
  };
};

export type Deployment = ReturnType<typeof reachDeployment>;
