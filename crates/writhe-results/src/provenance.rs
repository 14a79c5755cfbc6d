//! Which program made a row, when, and on which machine.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

/// Columns that every result ends with.
pub const COLUMNS: [&str; 4] = ["date", "commit", "machine", "cores"];

/// Columns of what it took, for results that are recorded: processor time of all that was measured
/// for it, s (empty where the system does not tell), and the [hash of the
/// sources](crate::sources) that it depends on (empty where they are not those of a commit).
pub const RECORDED: [&str; 2] = ["recording_cpu_s", "sources"];

/// The commit that this program was built of, `-dirty` behind it if there were changes.
pub const COMMIT: &str = env!("WRITHE_COMMIT");

/// Values of [`RECORDED`]: `cpu` in s, NaN where the system does not tell.
pub fn recorded(cpu: f64, sources: Option<&str>) -> Vec<String> {
    let cpu = if cpu.is_finite() {
        format!("{cpu:.2}")
    } else {
        String::new()
    };
    vec![cpu, sources.unwrap_or_default().to_owned()]
}

/// Values of [`COLUMNS`], now.
pub fn values() -> Vec<String> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    vec![
        date(now.map_or(0, |elapsed| elapsed.as_secs())),
        COMMIT.to_owned(),
        machine(),
        cores.to_string(),
    ]
}

/// Date and time in UTC of so many seconds after 1970, ISO 8601.
fn date(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let (hour, minute) = (second / 3600, second % 3600 / 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}Z")
}

/// Year, month and day of the Gregorian calendar, so many days after 1 January 1970.
fn civil(days: u64) -> (u64, u64, u64) {
    // Days since 1 March of the year 0, in eras of 400 years; a year that begins in March ends with
    // the leap day.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

/// Model of the processor, where the system tells; the architecture otherwise.
fn machine() -> String {
    let model = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    model.unwrap_or_else(|| format!("{} {}", std::env::consts::OS, std::env::consts::ARCH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(date(0), "1970-01-01T00:00Z");
        assert_eq!(date(951_782_400), "2000-02-29T00:00Z");
        assert_eq!(date(1_735_689_599), "2024-12-31T23:59Z");
        assert_eq!(date(4_107_542_400), "2100-03-01T00:00Z");
    }

    #[test]
    fn as_many_values_as_columns() {
        assert_eq!(values().len(), COLUMNS.len());
        assert_eq!(recorded(1.0, None), ["1.00", ""]);
        assert_eq!(recorded(f64::NAN, Some("abc")), ["", "abc"]);
        assert_eq!(RECORDED.len(), recorded(0.0, None).len());
    }
}
