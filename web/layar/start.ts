// Imported before everything else: the language of a screen stands in its address, and the words ask for it as they load.
import { language } from '../shared/preferences.ts';
import { settingsOf } from './address.ts';

const { language: chosen, look } = settingsOf(location.search);
language.value = chosen;
document.documentElement.lang = chosen;
document.documentElement.dataset.look = look;
