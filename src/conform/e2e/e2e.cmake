# Whole models: `inferno conform --e2e`.
target_sources(ifn_conform PRIVATE
    e2e/e2e_board.c
    e2e/e2e_codes.c
    e2e/e2e_command.c
    e2e/e2e_cuts.c
    e2e/e2e_engine.c
    e2e/e2e_explain.c
    e2e/e2e_file.c
    e2e/e2e_judge.c
    e2e/e2e_long.c
    e2e/e2e_prompts.c
    e2e/e2e_report.c
    e2e/e2e_tally.c
    e2e/e2e_trial.c
    e2e/e2e_truth.c
    e2e/e2e_words.c)
