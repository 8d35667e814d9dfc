import type { Plugin } from 'rolldown';

/** Set by `npm run dev`: there alone a Worker is given the demo clinic, whose day goes on. */
export const demoSetting = 'JANJI_DEMO_DAY';

/** A Worker that is deployed never has the demo clinic: its day is left out. */
export const leaveDemoOut: Plugin = {
  name: 'leave-demo-out',
  load: {
    filter: { id: /\/src\/jobs\/demo-day\.ts$/ },
    handler: () =>
      process.env[demoSetting] === 'on'
        ? null
        : {
            code: `export const markOf = () => ({ userId: '', key: '' });\nexport const fillDemoDay = async () => {};\n`,
            moduleType: 'js',
          },
  },
};
