// Imported before everything else: the language of a screen stands in its address, and the words ask for it as they load.
import { language } from '../shared/preferences.ts';
import { parseSettings } from './address.ts';

const { language: chosen, look } = parseSettings(location.search);
language.value = chosen;
document.documentElement.lang = chosen;
document.documentElement.dataset.look = look;
