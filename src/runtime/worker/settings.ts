import { type Config, parseConfig } from '../../core/settings/config.ts';
import { SettingError } from '../../core/settings/parse-settings.ts';

/** The settings among the Worker's bindings, and its secrets, which have to be among them. */
export const parseBindings = (
  bindings: Readonly<Record<string, unknown>>,
): { config: Config; secret: string; dataKey: string } => {
  const config = parseConfig(bindings);
  const { JWT_SECRET: secret, DATA_KEY: dataKey } = config;
  if (secret === undefined)
    throw new SettingError(
      'JWT_SECRET is not set: it takes a secret of at least 32 bytes (wrangler secret put JWT_SECRET).',
    );
  if (dataKey === undefined)
    throw new SettingError(
      'DATA_KEY is not set: it takes 32 bytes, such as openssl rand -base64 32 prints (wrangler secret put DATA_KEY).',
    );
  return { config, secret, dataKey };
};
