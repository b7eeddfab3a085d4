"""The survey: answers are disguised in the respondent's browser, by ``browser/respondent.js``."""
