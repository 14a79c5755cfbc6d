use super::*;

/// What steps take by all threads and by one, s, at a time, s; they vary by a part of themselves.
struct Machine<F> {
    times: F,
    noise: f64,
    seed: u64,
}

/// How long steps took in all, and how many were made by one thread.
#[derive(Debug, Default)]
struct Run {
    time: f64,
    steps: u32,
    by_one: u32,
    switches: u32,
}

impl<F: Fn(f64) -> [f64; 2]> Machine<F> {
    /// Even in [-1, 1).
    fn random(&mut self) -> f64 {
        self.seed = (self.seed)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Steps for so long, s.
    fn run(&mut self, choice: &mut Choice, lasts: f64) -> Run {
        let mut run = Run::default();
        while run.time < lasts {
            let (alone, one) = (choice.alone(), choice.one);
            // Newton iterations vary, and times with them.
            let work = BESIDES + f64::from(1 + run.steps * 7 % 3);
            let noise = 1.0 + self.noise * self.random();
            let time = (self.times)(run.time)[usize::from(alone)] * work / 4.0 * noise;
            choice.learn(work, time);
            run.time += time;
            run.steps += 1;
            run.by_one += u32::from(alone);
            run.switches += u32::from(choice.one != one);
        }
        run
    }
}

fn machine<F: Fn(f64) -> [f64; 2]>(times: F, noise: f64) -> Machine<F> {
    Machine {
        times,
        noise,
        seed: 7,
    }
}

#[test]
fn threads_that_pay_are_kept_and_comparing_costs_less_than_two_per_cent() {
    // By all and by one: short steps and long ones, two threads and many.
    let machines: [[f64; 2]; 4] = [[0.5e-3, 0.58e-3], [8e-3, 14e-3], [0.6, 1.0], [2e-3, 15e-3]];
    for times in machines {
        let mut choice = Choice::default();
        let lasts = 3000.0 * times[1].max(BLOCK);
        let run = machine(|_| times, 0.1).run(&mut choice, lasts);
        let one = f64::from(run.by_one) * (times[1] - times[0]);
        assert!(run.switches == 0 && run.by_one > 0, "{times:?} {run:?}");
        assert!(one < 0.02 * run.time, "{times:?} {one} of {run:?}");
    }
}

#[test]
fn threads_that_do_not_pay_are_left() {
    let machines: [[f64; 2]; 3] = [[0.9e-3, 0.7e-3], [20e-3, 12e-3], [1.3, 1.0]];
    for times in machines {
        let mut choice = Choice::default();
        let first = machine(|_| times, 0.1).run(&mut choice, 30.0 * times[0].max(BLOCK));
        assert!(choice.one, "{times:?} {first:?}");
        let run = machine(|_| times, 0.1).run(&mut choice, 2000.0 * times[0].max(BLOCK));
        let all = f64::from(run.steps - run.by_one) * (times[0] - times[1]);
        assert!(
            run.switches == 0 && all < 0.02 * run.time,
            "{times:?} {run:?}"
        );
    }
}

/// Another program begins after 10 s and ends after 20.
#[test]
fn another_program_is_noticed_when_it_begins_and_when_it_ends() {
    let times = |t: f64| match (10.0..20.0).contains(&t) {
        true => [20e-3, 12.5e-3],
        false => [8e-3, 12e-3],
    };
    let mut choice = Choice::default();
    let run = machine(times, 0.15).run(&mut choice, 30.0);
    assert_eq!(run.switches, 2, "{run:?}");
    // Made by one in some 10 s, with three seconds to notice each.
    let by_one = f64::from(run.by_one) * 12.5e-3;
    assert!((7.0..13.0).contains(&by_one), "{by_one} s, {run:?}");
}

#[test]
fn a_gain_of_some_per_cent_changes_nothing() {
    for times in [[1e-3, 0.98e-3], [1e-3, 1e-3]] {
        let mut choice = Choice::default();
        let run = machine(|_| times, 0.1).run(&mut choice, 60.0);
        assert_eq!(run.switches, 0, "{times:?} {run:?}");
    }
}

/// A block of each comparison takes ten times as long, as where another program has the processor for
/// a moment; steps of the chosen way seem slow.
#[test]
fn a_moment_of_another_program_changes_nothing() {
    let mut choice = Choice::default();
    for step in 0..2_000 {
        let disturbed = choice.compared.len() == 2;
        let time = if choice.alone() { 0.2 } else { 0.1 };
        choice.learn(3.0, time * if disturbed { 10.0 } else { 1.0 });
        assert!(!choice.one, "{step}");
    }
}

/// As the first steps of a heap do, of more and more contacts.
#[test]
fn steps_that_grow_are_compared_with_those_about_them() {
    let mut choice = Choice::default();
    let mut run = 0;
    for step in 0..60 {
        let time = 0.2 + 0.1 * f64::from(step);
        let gain = if choice.alone() { 1.0 } else { 1.5 };
        run += u32::from(choice.alone());
        choice.learn(4.0, time / gain);
    }
    assert!(!choice.one && run > 0 && run < 4, "{run}");
}

#[test]
fn a_step_that_shares_nothing_is_not_timed() {
    let mut pace = Pace::default();
    let failed = || Err(StepError::OnlyRodsTouch);
    assert!(pace.make(failed).is_err());
    assert_eq!(pace.shared(), SharedTime::default());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
    pool.unwrap().install(|| {
        let made = pace.make(|| {
            threads::join(|| (), || ());
            failed()
        });
        assert!(made.is_err());
    });
    assert!(pace.shared().whole > Duration::ZERO);
}

/// A comparison has steps of both kinds, and each is made as it says.
#[test]
fn steps_are_made_by_as_many_threads_as_chosen() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
    pool.unwrap().install(|| {
        for one in [false, true] {
            let mut pace = Pace::default();
            pace.choice.one = one;
            let mut seen = 0;
            let _ = pace.make(|| {
                seen = threads::count();
                Err(StepError::OnlyRodsTouch)
            });
            assert_eq!(seen, if one { 1 } else { 2 });
            let shared = pace.shared();
            let by_one = if one { shared.whole } else { Duration::ZERO };
            assert_eq!(shared.by_one, by_one);
        }
    });
}
