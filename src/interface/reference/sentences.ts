import {
  daysInWords,
  minutesInWords,
  type Sentence,
  say,
  secondsInWords,
} from '../../core/endpoint/sentences.ts';

/** Example values for the placeholders of sentences, by name. */
const exampleValues = {
  limit: 20,
  kilobytes: 64,
  wait: secondsInWords(30),
  lifetime: minutesInWords(30),
  notice: minutesInWords(30),
  advance: daysInWords(90),
};

/** A sentence as it may read, with values in it. */
export const exampleSentence = (sentence: Sentence): Sentence => say(sentence, exampleValues);
